import { Anchor, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'

interface DeskNoteProps {
  readonly reservation: Pick<Item<'GET /reservations/one/'>, 'id' | 'note'>
  readonly changes: boolean
}

/**
 * Shows the internal note of staff on a reservation. With `changes`, the user can edit the note in place; without,
 * renders nothing when the note is empty.
 */
export function DeskNote({ reservation, changes }: DeskNoteProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const { note } = reservation
  if (!changes && note === '') return null
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('note.title')}
        </Title>
        {changes && !editing && note !== '' && (
          <Anchor component="button" type="button" size="sm" onClick={() => setEditing(true)}>
            {t('note.edit')}
          </Anchor>
        )}
      </Group>
      {editing ? (
        <EditNote reservation={reservation} close={() => setEditing(false)} />
      ) : note === '' ? (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
            {t('note.add')}
          </Button>
        </Group>
      ) : (
        <Text size="sm" className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
          {note}
        </Text>
      )}
    </Stack>
  )
}

function EditNote({
  reservation: { id, note },
  close,
}: Pick<DeskNoteProps, 'reservation'> & { readonly close: () => void }) {
  const { t } = useTranslation()
  const write = useWrite('POST /reservations/note/', ['GET /reservations/one/', 'GET /calendar/', 'GET /history/'])
  // The note that this edit starts from; another user may change it in the meantime.
  const [was] = useState(note)
  const form = useWriteForm({
    initialValues: { note },
    write: async (values) => {
      await write.mutateAsync({ body: { id, note: values.note, was } })
      toast(t('note.saved'))
      close()
    },
  })
  return (
    <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
      <Textarea
        aria-label={t('note.title')}
        description={t('note.internal')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        data-autofocus
        {...form.fields.getInputProps('note')}
      />
    </Form>
  )
}
