import { digits } from '../../scheduling/time/date.ts'
import type { CustomerEntry } from '../../site-file/site-file.ts'
import type { Random } from './random.ts'

/** A customer of the demo in the format of a site file (a JSON file that describes a site). */
export interface DemoCustomer extends CustomerEntry {
  readonly key: string
}

const count = 200
const firstNames =
  'Aaliyah Amir Anja Bastian Beatriz Carla Chidi Daria Deniz Elif Emil Farid Frieda Greta Hannes Ines Jakob Jonna Kaan Klara Lars Leyla Lino Maja Malik Mateus Mira Nele Noah Olga Paul Priya Rasmus Ronja Samuel Sena Tariq Thea Vito Yara'.split(
    ' ',
  )
const lastNames =
  'Abel Adeyemi Albrecht Almeida Bakir Behrens Brandt Carvalho Clausen Dietz Ebert Ekström Falk Fonseca Gerlach Guerra Hagedorn Haidari Iversen Jansen Karaca Kipp Kowal Lange Lindqvist Lobo Marten Mendes Nasser Neubauer Okafor Otte Pereira Petersen Quandt Rao Reimers Rocha Sander Schuster Sommer Teixeira Thiel Ulrich Vogt Voss Wenzel Winter Yilmaz Zander'.split(
    ' ',
  )
const languages = ['de', 'de', 'de', 'de', 'en', 'en', 'pt', 'tr', 'pl', '']
const zones = ['Europe/Lisbon', 'Europe/London', 'Atlantic/Canary']

/**
 * Returns 200 fictitious customers; some have the e-mail address of another customer, their parent, and a few are
 * inactive or blocked.
 */
export function demoCustomers(random: Random): DemoCustomer[] {
  const customers: DemoCustomer[] = []
  const taken = new Set<string>()
  while (customers.length < count) {
    const parent = random.happens(0.06) ? customers.at(-1) : undefined
    const family = parent?.name.split(' ')[1] ?? random.pick(lastNames)
    const name = `${random.pick(firstNames)} ${family}`
    if (taken.has(name)) continue
    taken.add(name)
    customers.push(customerNamed(name, { number: customers.length, email: parent?.email, random }))
  }
  return customers
}

interface Origin {
  readonly number: number
  /** The e-mail address of the parent who books for a child; undefined to derive it from the name. */
  readonly email: string | undefined
  readonly random: Random
}

function customerNamed(name: string, { number, email, random }: Origin): DemoCustomer {
  return {
    key: `patient-${digits(number + 1, 3)}`,
    name,
    email: email ?? `${plain(name)}@example.com`,
    // Germany reserves these phone numbers for fiction.
    phone: random.happens(0.8) ? `+49 40 66969 ${digits(number, 3)}` : '',
    status: number % 50 === 49 ? 2 : number % 40 === 39 ? 0 : 1,
    timezone: random.happens(0.1) ? random.pick(zones) : null,
    language: random.pick(languages),
  }
}

function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(' ', '.')
}
