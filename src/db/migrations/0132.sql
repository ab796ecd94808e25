-- The link under which the provider's online appointments take place, or a template of such links; empty for none.
alter table provider add column meeting_link text not null default '';
-- The address at which the reservation takes place online; null when it does not, or is not confirmed.
alter table reservation add column meeting text;
