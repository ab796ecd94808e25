-- Whether the customer came: expected, arrived, in_service, completed or no_show, apart from the status of the contract.
alter table reservation add column attendance text not null default 'expected';
-- JSON: the state with the times at which states were marked; null while the customer is expected.
alter table reservation add column attendance_record text;
-- The desk's note, visible in the panel only.
alter table reservation add column note text not null default '';
-- Why the reservation was cancelled; empty when no reason was given.
alter table reservation add column cancel_reason text not null default '';
