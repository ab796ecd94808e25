/**
 * Returns the fields of `after` that differ from `before`. Only the fields that the user changed are sent, since
 * another user may have changed other fields.
 */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const field in after)
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changed[field] = after[field]
  return changed
}
