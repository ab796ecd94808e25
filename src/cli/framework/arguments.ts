import { parseArgs } from 'node:util'
import { flagOf, readConfig, settings } from '../../config.ts'
import { nearest } from '../../scheduling/nearest.ts'
import type { Typed, Usage } from './command.ts'

type Read = { readonly call: Typed } | { readonly help: true } | { readonly faults: readonly string[] }

/** Parses the arguments after a command's name; returns the parsed call, a request for the help text, or the errors. */
export function readArguments(
  usage: Usage,
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Read {
  const takesValue = flagsOf(usage)
  const options = Object.fromEntries(
    [...takesValue].map(([flag, value]) => [flag, { type: value ? ('string' as const) : ('boolean' as const) }]),
  )
  // Strict parsing would stop at the first error.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true })
  const flags = new Map<string, string | true>()
  const positionals: string[] = []
  const faults: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '-h' || token.name === 'help') return { help: true }
    const fault = optionFault(token, takesValue)
    if (fault) faults.push(fault)
    else flags.set(token.name, token.value ?? true)
  }
  const given = Object.fromEntries(flags)
  // After an error in an option, positional arguments are not checked, because the value of an unknown option would be
  // reported as an argument of the command.
  if (faults.length === 0)
    faults.push(...positionalFaults(usage.positionals, positionals), ...(usage.faults?.(given, positionals) ?? []))
  const read = readConfig(given, environment)
  if ('faults' in read) faults.push(...read.faults)
  if (faults.length > 0 || 'faults' in read) return { faults }
  return { call: { flags: given, positionals, config: read.config } }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function optionFault(
  { name, rawName, value, inlineValue }: OptionToken,
  takesValue: Map<string, boolean>,
): string | undefined {
  const wantsValue = takesValue.get(name)
  if (wantsValue === undefined || !rawName.startsWith('--')) {
    const close = nearest(name, takesValue.keys())
    return `There is no option ${rawName}.${close ? ` Did you mean --${close}?` : ''}`
  }
  if (!wantsValue) return value === undefined ? undefined : `--${name} takes no value.`
  // In "--host --port 80", the value of --host is missing. A value that begins with a dash must be written --host=-x.
  const missing = value === undefined || (!inlineValue && value.startsWith('-'))
  return missing ? `--${name} needs a value.` : undefined
}

function positionalFaults(wanted: readonly string[], given: readonly string[]): string[] {
  const needed = wanted.filter((name) => !name.startsWith('['))
  const missing = needed.slice(given.length).map((name) => `${name} is missing.`)
  const extra = given.slice(wanted.length).map((text) => `"${text}" is one argument too many.`)
  return [...missing, ...extra]
}

function flagsOf(usage: Usage): Map<string, boolean> {
  return new Map([
    ...Object.entries(usage.options).map(([flag, option]) => [flag, option.placeholder !== undefined] as const),
    ...usage.settings.filter((name) => !('hidden' in settings[name])).map((name) => [flagOf(name), true] as const),
  ])
}
