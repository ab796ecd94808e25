-- What a pending reservation waits for before it counts: 'email' or 'payment'. It expires unless that happens in time.
alter table reservation add column awaits text;
