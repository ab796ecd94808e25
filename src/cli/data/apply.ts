import { dataSettings } from '../../config.ts'
import { refreshStatistics } from '../../db/statistics.ts'
import type { SiteFileChanges, SiteReport } from '../../site-file/site-file.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** Makes the site match a site file, all or nothing, and says what it added, changed and left. */
export const apply: DataCommand = {
  on: 'data',
  options: {
    'dry-run': { sentence: 'Reports the changes; stores nothing.' },
    json: { sentence: 'Prints what was added, changed and left unchanged as JSON, with every name.' },
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
const mostNames = 20
// So many are written within about a second.
const manyRows = 1_000

/** The report as text: a line a kind with its counts, and below it the names. */
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
  const more = list.length > mostNames ? [`and ${list.length - mostNames} more`] : []
  return [`  ${verb}: ${[...list.slice(0, mostNames), ...more].join(', ')}`]
}
