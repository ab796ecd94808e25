// Preloaded into a command, this module makes SQLite report the version 3.51.2, which the service refuses because of a
// bug that can damage a database.
import { DatabaseSync } from 'node:sqlite'

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (text, options) {
  return prepare.call(this, text.replace('sqlite_version()', "'3.51.2'"), options)
}
