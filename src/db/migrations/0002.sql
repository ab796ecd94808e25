-- People of the panel.
create table person (
  id text primary key,
  email text not null,
  email_key text not null unique,
  role text not null check (role in ('admin', 'manager', 'provider')),
  provider_id bigint references provider (id) on delete set null,
  name text not null,
  password_hash text,
  status text not null check (status in ('active', 'disabled')),
  created_at bigint not null,
  updated_at bigint not null
);
create index person_by_provider on person (provider_id);

-- One-time links; the secret itself is in the link alone.
create table person_link (
  hash text primary key,
  person_id text not null references person (id) on delete cascade,
  purpose text not null check (purpose in ('set_password')),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index person_link_by_person on person_link (person_id);
create index person_link_by_expiry on person_link (expires_at);
