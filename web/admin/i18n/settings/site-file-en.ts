/** Texts of the site file. */
export const siteFile = {
  siteFile: {
    title: 'Site file',
    text: 'The whole site in one file, to back up, review or move to another installation.',
    export: 'Export',
    exportText: 'Site settings, services and providers. Secrets are not included.',
    withCustomers: 'Include customers',
    withReservations: 'Include reservations and their customers',
    import: 'Import',
    importText:
      'You first see what would change. Applying the file removes nothing, and either all of it is applied or none.',
    file: 'File',
    choose: 'Choose a file',
    faults: 'Errors in the file',
    apply: 'Apply',
    applied: 'Site file applied.',
    nothing: 'This file would not change anything.',
    site: 'Site settings',
    parts: { services: 'Services', providers: 'Providers', customers: 'Customers', reservations: 'Reservations' },
    added: '{{count}} added',
    changed: '{{count}} changed',
  },
}
