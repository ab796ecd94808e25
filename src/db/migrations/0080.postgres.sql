alter table person
  drop constraint person_role_check,
  add constraint person_role_check check (role in ('admin', 'manager', 'receptionist', 'provider', 'read_only'));
