-- What the front desk notes about a customer beyond the contact data, as JSON: birthday, tags, further phone numbers.
alter table customer add column details text not null default '{}';
