import { Refusal } from '../../messages/refusal.ts'
import { RestRefusal } from '../response/errors.ts'
import type { Report } from './validate.ts'

/** Collects the validation errors of one request, to report all at once. */
export interface RequestFaults extends Report {
  /** Whether parameters are missing and none is invalid. */
  onlyMissing(): boolean
  /** Whether anything was reported. */
  any(): boolean
  /**
   * Throws a refusal if anything was reported: in the platform's format for parameters of a GET, else in the
   * application's.
   */
  refuse(method: string): void
}

/** Creates an empty collection. */
export function noFaults(): RequestFaults {
  return new Collected()
}

// A class, since one is created per request and most stay empty.
class Collected implements RequestFaults {
  readonly #details: [string, string][] = []
  #wrong = false

  missing(path: string, sentence: string): void {
    this.#details.push([path, sentence])
  }

  wrong(path: string, sentence: string): void {
    this.#wrong = true
    this.#details.push([path, sentence])
  }

  any(): boolean {
    return this.#details.length > 0
  }

  onlyMissing(): boolean {
    return this.#details.length > 0 && !this.#wrong
  }

  refuse(method: string): void {
    if (this.#details.length === 0) return
    throw method === 'GET' ? restRefusal(this.#details, this.#wrong) : refusal(this.#details, this.#wrong)
  }
}

type Details = readonly (readonly [string, string])[]

function refusal(details: Details, wrong: boolean): Refusal {
  return new Refusal(
    wrong ? 'invalid_parameter' : 'missing_parameter',
    sentence(details, wrong),
    Object.fromEntries(details),
  )
}

function restRefusal(details: Details, wrong: boolean): RestRefusal {
  const message = sentence(details, wrong)
  if (wrong) {
    const params = Object.fromEntries(details)
    return new RestRefusal({ code: 'rest_invalid_param', status: 400, data: { params } }, message)
  }
  const params = details.map(([name]) => name)
  return new RestRefusal({ code: 'rest_missing_callback_param', status: 400, data: { params } }, message)
}

function sentence(details: Details, wrong: boolean): string {
  const names = [...new Set(details.map(([name]) => name))].join(', ')
  return wrong ? `Something is wrong with what was sent; see: ${names}.` : `Something required is missing: ${names}.`
}

/** Returns the refusal of one query parameter that is well-formed but has no meaning here. */
export function invalidParameter(name: string, sentence: string): RestRefusal {
  return restRefusal([[name, sentence]], true)
}
