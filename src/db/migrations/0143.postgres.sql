alter table site alter column link_secret type text collate "C";
