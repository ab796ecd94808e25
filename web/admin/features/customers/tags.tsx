import { Badge, Button, Group, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { useRead, useWrite } from '../../data/queries.ts'

/** Renders the tags of a customer as badges. */
export function Tags({ of: tags }: { readonly of: readonly string[] }) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="light" color="gray" size="sm">
          {tag}
        </Badge>
      ))}
    </Group>
  )
}

/** A select that filters the list of customers by a tag. */
export function TagFilter() {
  const { t } = useTranslation()
  const { data } = useRead('GET /customers/tags/', {})
  return (
    <QuerySelect
      name="tag"
      aria-label={t('customers.tags')}
      placeholder={t('customers.anyTag')}
      w={210}
      searchable
      limit={100}
      data={data?.tags.slice() ?? []}
    />
  )
}

interface BulkTagsProps {
  /** The ids of the selected customers. */
  readonly ids: readonly string[]
  readonly done: () => void
}

/** A form that adds tags to the selected customers, or removes tags from them. */
export function BulkTags({ ids, done }: BulkTagsProps) {
  const { t } = useTranslation()
  const { data } = useRead('GET /customers/tags/', {})
  const write = useWrite('POST /customers/tags/', ['GET /customers/', 'GET /customers/one/', 'GET /customers/tags/'])
  const [tags, setTags] = useState<string[]>([])
  const send = async (does: 'add' | 'remove'): Promise<void> => {
    const { changed } = await write.mutateAsync({ body: { ids: [...ids], [does]: tags } })
    toast(t('customers.tagged', { count: changed }))
    setTags([])
    done()
  }
  const run = (does: 'add' | 'remove'): void => void send(does).then(undefined, toastError)
  const idle = tags.length > 0 && !write.isPending
  return (
    <Group gap="xs">
      <TagsInput
        aria-label={t('customers.tags')}
        placeholder={t('customers.tagsHint')}
        size="xs"
        w={220}
        maxTags={20}
        maxLength={40}
        data={data?.tags.slice() ?? []}
        value={tags}
        onChange={setTags}
      />
      <Button size="compact-sm" disabled={!idle} onClick={() => run('add')}>
        {t('customers.tagAdd')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={!idle} onClick={() => run('remove')}>
        {t('customers.tagRemove')}
      </Button>
    </Group>
  )
}
