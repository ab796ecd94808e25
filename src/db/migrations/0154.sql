-- A merge and an export of a customer, and the payments of a customer that the panel lists, read the whole table.
create index payment_by_customer on payment (customer_id);
