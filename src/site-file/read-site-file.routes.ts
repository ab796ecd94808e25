import type { TSchema } from 'typebox'
import { siteFile } from '../contract/site-file.ts'
import { parseObject } from '../http/request/json.ts'
import { compileValidator } from '../http/request/validate.ts'
import { type Message, message } from '../messages/message.ts'
import { Refusal } from '../messages/refusal.ts'
import { siteFileFaults, siteFileRefusal } from './check.ts'
import type { SiteFile, SiteFileFaults } from './site-file.ts'

const schema: TSchema = siteFile
const read = compileValidator(schema)

/**
 * Parses the text of a site file. Throws a refusal that lists by path all violations of the schema or, if there are
 * none, all contradictions. Text that `parseObject` does not accept, such as one that is no JSON object or repeats a
 * key of an object, is refused without a path.
 */
export function readSiteFile(text: string): SiteFile {
  const faults: SiteFileFaults = new Map()
  const report = (path: string, fault: Message) => void faults.set(path, fault)
  const file = read(parse(text), '', { wrong: report, missing: report })
  if (!isSound(file, faults)) throw siteFileRefusal(faults)
  const contradictions = siteFileFaults(file)
  if (contradictions.size > 0) throw siteFileRefusal(contradictions)
  return file
}

function parse(text: string): unknown {
  try {
    JSON.parse(text)
  } catch (error) {
    // The message of the JSON parser, which usually contains line and column, is passed on.
    throw new Refusal({
      code: 'site_file_invalid',
      message: message('site_file_not_json', { fault: error instanceof Error ? error.message : '' }),
    })
  }
  return parseObject(Buffer.from(text), message('noun_file'))
}

function isSound(_file: unknown, faults: SiteFileFaults): _file is SiteFile {
  return faults.size === 0
}
