import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { refetch, type WriteState } from './queries.ts'
import { type ReadRoute, requestUntyped, type UntypedRequest, type WriteRoute } from './request.ts'
import { createRequestKeys } from './request-keys.ts'

/**
 * Returns a mutation like `useWrite` for a request that must not be performed twice, such as one that moves money. When
 * the response to a request was lost and the component sends the same request again, the service answers with the
 * outcome of the first one.
 */
export function useWriteOnce<K extends WriteRoute>(row: K, changes: readonly ReadRoute[] = []): WriteState<K> {
  const [keys] = useState(() => createRequestKeys(() => crypto.randomUUID()))
  return useMutation({
    mutationFn: (request: UntypedRequest) => requestUntyped(row, { ...request, idempotencyKey: keys.keyOf(request) }),
    onSuccess: () => {
      keys.ended()
      return refetch(changes)
    },
    onError: (error) => {
      keys.ended(error)
      // The service may have performed the request although the response was lost.
      void refetch(changes)
    },
  })
}
