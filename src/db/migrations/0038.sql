-- The logos of the site, as base64; the settings name the current one.
create table site_logo (
  id text primary key,
  content text not null,
  created_at bigint not null
);
