import { ActionIcon, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'

type Note = NonNullable<Item<'GET /customers/one/'>['more']>['notes'][number]

interface NotesProps {
  readonly customerId: string
  readonly notes: readonly Note[]
  readonly changes: boolean
}

/**
 * The notes of staff about a customer, newest first. If `changes` is true, the user can add and remove notes;
 * otherwise, renders nothing without notes.
 */
export function CustomerNotes({ customerId, notes, changes }: NotesProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /customers/notes/add/', ['GET /customers/one/'])
  const remove = useWrite('POST /customers/notes/remove/', ['GET /customers/one/'])
  const [removing, setRemoving] = useState<Note>()
  const id = useId()
  const form = useWriteForm({
    initialValues: { text: '' },
    validate: ({ text }) => ({ text: text.trim() === '' ? t('customers.noteEmpty') : null }),
    write: async ({ text }) => {
      await add.mutateAsync({ body: { customerId, text } })
      form.fields.reset()
    },
  })
  if (!changes && notes.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {t('customers.notes')}
      </Title>
      {changes && (
        <Form form={form} submitText={t('customers.noteAdd')}>
          <Textarea
            aria-label={t('customers.note')}
            placeholder={t('customers.noteHint')}
            autosize
            minRows={2}
            maxRows={10}
            {...form.fields.getInputProps('text')}
          />
        </Form>
      )}
      {notes.map((note) => (
        <Paper key={note.id} p="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={2} miw={0}>
              <Text size="sm" className="breakable lines">
                {note.text}
              </Text>
              <Text size="xs" c="dimmed">
                {note.by || t('customers.someone')} · <Timestamp at={note.at} />
              </Text>
            </Stack>
            {changes && (
              <ActionIcon aria-label={t('customers.noteRemove')} onClick={() => setRemoving(note)}>
                <IconTrash size={16} stroke={1.5} />
              </ActionIcon>
            )}
          </Group>
        </Paper>
      ))}
      <ConfirmDialog
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={t('customers.noteRemove')}
        text={t('customers.noteRemoveText')}
        action={t('common.remove')}
        danger
        confirm={async () => {
          if (!removing) return
          await remove.mutateAsync({ body: { id: removing.id } })
          toast(t('customers.noteRemoved'))
        }}
      />
    </Stack>
  )
}
