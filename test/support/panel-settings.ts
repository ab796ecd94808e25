/** The paths of the settings in the panel that managers and administrators open. */
export const managerSettings = [
  '/settings/site',
  '/settings/policies',
  '/settings/notifications',
  '/settings/history',
  '/settings/system',
  '/settings/jobs',
]

/** The paths of the settings in the panel that only administrators open. */
export const administratorSettings = ['/settings/team', '/settings/api', '/settings/site-file']
