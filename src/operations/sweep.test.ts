import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, withStorage } from '../../test/support/databases.ts'
import type { CommandTable, Operation } from '../app.ts'
import { sweepAll } from '../workers/sweep.ts'
import type { commands } from './index.ts'

const table = new URL('./index.ts', import.meta.url)
