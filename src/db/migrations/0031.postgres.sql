alter table site alter column previous_secret type text collate "C";
