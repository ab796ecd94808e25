-- Errors of mail jobs contained responses of mail servers, and these the addresses of recipients.
update job set last_error = 'see the log of messages' where last_error is not null
  and kind in ('notification', 'timed-notification', 'account-mail', 'bookings-mail', 'agenda');
