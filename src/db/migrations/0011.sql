-- What customers are found by: the words of their names, addresses and numbers. Kept with the customer.
create table customer_word (
  customer_id text not null references customer (id) on delete cascade,
  word text not null,
  primary key (customer_id, word)
);
create index customer_word_by_word on customer_word (word, customer_id);

-- 0: the words of this customer are still to be written, for customers from before there were any.
alter table customer add column worded integer not null default 0;
create index customer_without_words on customer (ordinal) where worded = 0;

-- The front desk's list: those of one status; and of one provider or service, narrowed further within the index alone.
create index reservation_by_status on reservation (status, start_at);
drop index reservation_by_provider;
create index reservation_by_provider on reservation (provider_id, start_at, status, service_id);
drop index reservation_by_service;
create index reservation_by_service on reservation (service_id, start_at, status, provider_id);
