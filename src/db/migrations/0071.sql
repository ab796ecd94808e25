-- The language in which a user reads the panel, and receives messages.
create table user_language (
  person_id text primary key references person (id) on delete cascade,
  language text not null
);
