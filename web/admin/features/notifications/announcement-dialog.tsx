import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { CancelButton } from '../../components/fields/write-form.tsx'
import type { AnnouncementQuestion } from './announcement.ts'
import styles from './templates/preview.module.css'

/**
 * The dialog that asks whether customers are notified of a change of their reservations, and shows one of the messages.
 */
export default function AnnouncementDialog({ question }: { readonly question: AnnouncementQuestion }) {
  const { t } = useTranslation()
  const { message, count, answer } = question
  const { name, address, subject, text } = message
  const cancel = (): void => answer(undefined)
  return (
    <Modal
      opened
      onClose={cancel}
      size="lg"
      title={t('notifications.ask.title', { count })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          {t('notifications.ask.to', { count, name, address })}
        </Text>
        <Text size="sm" fw={600} className="breakable">
          {subject}
        </Text>
        <Box component="pre" className={styles.text ?? ''} tabIndex={0} role="region" aria-label={subject}>
          {text}
        </Box>
        <Group justify="flex-end" gap="xs">
          <CancelButton onClick={cancel} />
          <Button variant="default" onClick={() => answer(false)}>
            {t('notifications.ask.without')}
          </Button>
          <Button onClick={() => answer(true)} data-autofocus>
            {t('notifications.ask.notify')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
