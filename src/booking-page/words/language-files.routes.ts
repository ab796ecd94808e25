import { readdir, readFile } from 'node:fs/promises'
import { builtInLanguages, type PageLanguages, readLanguage } from './words.ts'

/**
 * Reads the languages of the booking page in a directory, each from a file such as `de.json`. A language is added to the
 * built-in languages, or replaces the one with the same code. Returns an error message with the path of the file when one
 * cannot be read or is invalid.
 */
export async function loadLanguages(directory: string | undefined): Promise<PageLanguages | string> {
  if (directory === undefined) return builtInLanguages
  const files = await readdir(directory).then(
    (names) => names.sort(),
    () => undefined,
  )
  if (!files) return `The directory ${directory} of --page-languages cannot be read.`
  const languages = new Map(builtInLanguages)
  for (const file of files) {
    const locale = /^([a-z]{2,3})\.json$/.exec(file)?.[1]
    if (locale === undefined) continue
    const path = `${directory}/${file}`
    const language = await readFile(path, 'utf8').then(
      (text) => parsed(text).then(readLanguage, () => 'The file is not JSON.'),
      () => 'The file cannot be read.',
    )
    if (typeof language === 'string') return `${path}: ${language}`
    languages.set(locale, language)
  }
  return languages
}

async function parsed(text: string): Promise<unknown> {
  return JSON.parse(text)
}
