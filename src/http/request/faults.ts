import { type Message, message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { sentences } from '../../messages/sentence.ts'
import { RestRefusal } from '../response/errors.ts'
import type { Report } from './validate.ts'

/** Collects the validation errors of one request, to report all at once. */
export interface RequestFaults extends Report {
  /** Whether any validation error was reported. */
  any(): boolean
  /**
   * Throws a refusal with all errors if anything was reported: in WordPress's error format for a GET, otherwise in the
   * service's own format.
   */
  refuse(method: string): void
}

/** Creates an empty collection of validation errors. */
export function noFaults(): RequestFaults {
  return new Collected()
}

// This is a class, because an instance takes fewer allocations than closures: a collection is created for every
// request, and most collections stay empty.
class Collected implements RequestFaults {
  readonly #faults: [string, Message][] = []
  #wrong = false

  missing(path: string, fault: Message): void {
    this.#faults.push([path, fault])
  }

  wrong(path: string, fault: Message): void {
    this.#wrong = true
    this.#faults.push([path, fault])
  }

  any(): boolean {
    return this.#faults.length > 0
  }

  refuse(method: string): void {
    if (this.#faults.length === 0) return
    throw method === 'GET' ? restRefusal(this.#faults, this.#wrong) : refusal(this.#faults, this.#wrong)
  }
}

type Faults = readonly (readonly [string, Message])[]

function refusal(faults: Faults, wrong: boolean): Refusal {
  return new Refusal({
    code: wrong ? 'invalid_parameter' : 'missing_parameter',
    message: summary(faults, wrong),
    details: Object.fromEntries(faults),
  })
}

function restRefusal(faults: Faults, wrong: boolean): RestRefusal {
  if (wrong) {
    const details = Object.fromEntries(faults)
    const failure = { code: 'rest_invalid_param', status: 400, data: { params: sentences(details) } } as const
    return new RestRefusal(failure, summary(faults, wrong), { details })
  }
  const params = faults.map(([name]) => name)
  const failure = { code: 'rest_missing_callback_param', status: 400, data: { params } } as const
  return new RestRefusal(failure, summary(faults, wrong))
}

function summary(faults: Faults, wrong: boolean): Message {
  const names = [...new Set(faults.map(([name]) => name))]
  return wrong ? message('invalid_parameter', { names }) : message('missing_parameter', { names })
}

/** Returns the refusal of a well-formed query parameter whose value is not accepted. */
export function invalidParameter(name: string, fault: Message): RestRefusal {
  return restRefusal([[name, fault]], true)
}
