import { type Message, message } from '../../messages/message.ts'
/**
 * The name and e-mail address of the user who sets a password, and the name of the site (the organisation). A password
 * must not consist of words from these texts.
 */
export interface PasswordOwner {
  readonly name: string
  readonly email: string
  readonly siteName: string
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
]
const sequences = [...rows, ...rows.map((row) => [...row].reverse().join(''))]
const maxUnitLength = 4
const minWordLength = 3
/**
 * A password that contains a word of `personalTermsOf`, such as its user's name, must have at least this many letters
 * and digits outside of such words.
 */
const minOwnCharacters = 6

/**
 * Returns the message that states why a password is easy to guess without a dictionary; undefined when no rule applies.
 * A password is refused when it is blank, repetitive, part of the alphabet, of the sequence of digits or of a keyboard
 * row (forwards or backwards), or made of words of `personalTermsOf`, such as its owner's name. `passwordFault` checks
 * the length.
 */
export function guessablePasswordFault(password: string, owner: PasswordOwner): Message | undefined {
  const plain = password.normalize('NFKC').toLowerCase()
  if (plain.trim() === '') return message('password_blank')
  if (isRepetition(plain)) return message('password_repeats')
  if (sequences.some((row) => row.includes(plain))) return message('password_sequence')
  if (isMadeOf(plain, personalTermsOf(owner))) {
    return message('password_personal')
  }
  return undefined
}

function isRepetition(text: string): boolean {
  const characters = [...text]
  return Array.from({ length: maxUnitLength }, (_, at) => at + 1).some((unit) =>
    characters.every((character, at) => character === characters[at % unit]),
  )
}

/**
 * Returns the words that an attacker would try for a user's password, in lower case: the name, the e-mail address, the
 * site's name, their parts, and "daybook". Words of one or two characters are omitted; the longest word comes first.
 */
export function personalTermsOf({ name, email, siteName }: PasswordOwner): string[] {
  const words = [name, email, siteName, 'daybook'].flatMap((text) => {
    const plain = text.normalize('NFKC').toLowerCase()
    return [plain, ...plain.split(/[^\p{L}\p{N}]+/u)]
  })
  return [...new Set(words.filter((word) => word.length >= minWordLength))].sort((a, b) => b.length - a.length)
}

function isMadeOf(plain: string, words: readonly string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ' '), plain)
  return rest !== plain && [...rest.replaceAll(/[^\p{L}\p{N}]/gu, '')].length < minOwnCharacters
}
