-- The secret that signs the links which customers get by mail. It was that of the site, so links that were sent with the
-- present secret of the site remain valid.
alter table site add column link_secret text not null default '';
update site set link_secret = secret;
