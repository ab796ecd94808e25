-- The length of a provider's longest busy time bounds how far after a period the busy times that overlap it can end.
create index busy_by_length on busy (provider_id, (end_at - start_at));
