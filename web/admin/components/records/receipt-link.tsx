import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { queryText } from '../../../client.ts'
import { panelApiRoot } from '../../data/request.ts'

interface ReceiptLinkProps {
  /** The id of a receipt or credit note. */
  readonly id: string
  readonly children: ReactNode
}

/** A link that downloads a receipt or credit note. */
export function ReceiptLink({ id, children }: ReceiptLinkProps) {
  return (
    <Anchor href={`${panelApiRoot}/payments/receipt/${queryText({ id })}`} download size="sm">
      {children}
    </Anchor>
  )
}
