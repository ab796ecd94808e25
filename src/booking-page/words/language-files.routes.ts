import { readdir, readFile } from 'node:fs/promises'
import { builtInLanguages, type PageLanguages, readLanguage } from './words.ts'

/**
 * Returns the languages of the booking page: the built-in ones and those in a directory, each read from a file such as
 * `de.json`, which replaces a built-in language with the same code. Returns an error message when the directory or a
 * file cannot be read, or when a file is invalid.
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
