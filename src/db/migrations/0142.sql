-- How often a reservation got another customer: the links of its previous customers are signed with an earlier number.
alter table reservation add column link_version integer not null default 0;
