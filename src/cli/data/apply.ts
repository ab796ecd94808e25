import { dataSettings } from '../../config.ts'
import { refreshStatistics } from '../../db/statistics.ts'
import type { SiteFileChanges, SiteReport } from '../../site-file/site-file.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/**
 * Applies a site file (a JSON file that describes the site) atomically, and reports what was added, changed and left
 * unchanged.
 */
export const apply: DataCommand = {
  on: 'data',
  options: {
    'dry-run': { description: 'Reports the changes; stores nothing.' },
    json: { description: 'Prints what was added, changed and left unchanged as JSON, with every name.' },
  },
  settings: dataSettings,
  positionals: ['FILE'],
  file: ({ positionals: [path = ''] }) => path,
  async run(app, { file, flags, caller }) {
    const { readSiteFile } = await import('../../site-file/read-site-file.routes.ts')
    const dryRun = flags['dry-run'] === true
    const site = readSiteFile(file)
    const rows = kinds.reduce((sum, kind) => sum + (site[kind]?.length ?? 0), 0)
    if (rows >= manyRows) caller.note(`${rows} rows, all or none …`)
    const report = await performCommand(app, 'site.apply', site, { by: 'apply', dryRun })
    if (!dryRun) await refreshStatistics(app.db)
    return done(flags.json === true ? `${JSON.stringify(report)}\n` : reportText(report))
  },
}

const kinds = ['services', 'providers', 'customers', 'reservations'] as const
const maxNames = 20
// The minimum number of rows of a site file for which progress is reported; writing that many rows takes about a
// second.
const manyRows = 1_000

/**
 * Formats the report about an applied site file: a line about the site, then for each kind of entry a line with its
 * counts, followed by at most 20 names each of added, changed and unchanged entries.
 */
export function reportText(report: SiteReport): string {
  const site = report.site.length > 0 ? `changed ${report.site.join(', ')}` : 'left as it is'
  return [`site: ${site}`, ...kinds.flatMap((kind) => kindLines(kind, report[kind]))]
    .map((line) => `${line}\n`)
    .join('')
}

function kindLines(kind: string, { added, changed, left }: SiteFileChanges): string[] {
  return [
    `${kind}: ${added.length} added, ${changed.length} changed, ${left.length} left`,
    ...names('added', added),
    ...names('changed', changed),
    ...names('left', left),
  ]
}

function names(verb: string, list: readonly string[]): string[] {
  if (list.length === 0) return []
  const more = list.length > maxNames ? [`and ${list.length - maxNames} more`] : []
  return [`  ${verb}: ${[...list.slice(0, maxNames), ...more].join(', ')}`]
}
