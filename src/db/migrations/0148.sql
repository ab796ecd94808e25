-- The record of an erased customer with past visits had an address to which follow-ups were sent; it has none now.
update customer set email = '', email_key = '', worded = 0 where email_key like '%@erased.invalid';
