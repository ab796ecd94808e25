-- What is asked when a service is booked: a list of fields, as JSON.
alter table service add column form text not null default '[]';
