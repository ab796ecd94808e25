-- Whether staff may deliberately book the provider's time twice, with a reason.
alter table provider add column double_booking integer not null default 0;
