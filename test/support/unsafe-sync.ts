// Preloaded into a service, this has it sync as seldom as SQLite's NORMAL does, to see whether a loss is noticed.
import { DatabaseSync } from 'node:sqlite'

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (text) {
  return exec.call(this, text.replace('synchronous = full', 'synchronous = normal'))
}
