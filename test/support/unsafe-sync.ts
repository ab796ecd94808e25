// Preloaded into a service, this module makes the service sync as rarely as with SQLite's `synchronous = normal`, to
// show that the tests of power failures detect lost writes.
import { DatabaseSync } from 'node:sqlite'

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (text) {
  return exec.call(this, text.replace('synchronous = full', 'synchronous = normal'))
}
