-- The credentials with which this site identifies itself to calendar systems at which users sign in; encrypted.
create table calendar_app (
  kind text primary key,
  client_id text not null,
  secret text not null
);

-- Sign-ins at a calendar system that users have begun. Each counts once, for the user who began it.
create table calendar_grant (
  -- The SHA-256 hash of the state parameter.
  state_hash text primary key,
  person_id text not null,
  kind text not null,
  provider_id bigint not null,
  -- The account that is signed in to again; null for a new one.
  account_id text,
  -- The encrypted code verifier.
  secret text not null,
  expires_at bigint not null
);
