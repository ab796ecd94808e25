// Preloaded into a service, this module makes it sync as rarely as SQLite's NORMAL, to test that a loss is detected.
import { DatabaseSync } from 'node:sqlite'

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (text) {
  return exec.call(this, text.replace('synchronous = full', 'synchronous = normal'))
}
