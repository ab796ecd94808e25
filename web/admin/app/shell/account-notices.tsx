import { Alert, Button, Group, Text } from '@mantine/core'
import { IconShieldExclamation, IconShieldLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

/**
 * Warns the user when a password link has removed their second factors, and when a second factor will soon be
 * required.
 */
export function AccountNotices() {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { factorsLiftedAt, secondFactorDueAt } = useUser()
  const dismiss = useWrite('POST /session/notice/dismiss/', ['GET /session/'])
  return (
    <>
      {factorsLiftedAt !== null && (
        <Alert color="red" icon={<IconShieldExclamation />} mb="md" role="alert">
          <Group justify="space-between">
            <Text size="sm" flex="1 1 260px">
              {t('security.notice.lifted', { when: dateTime(factorsLiftedAt) })}
            </Text>
            <Button
              variant="default"
              loading={dismiss.isPending}
              onClick={() => void dismiss.mutateAsync({}).then(undefined, toastError)}
            >
              {t('security.notice.dismiss')}
            </Button>
          </Group>
        </Alert>
      )}
      {secondFactorDueAt !== null && (
        <Alert color="yellow" icon={<IconShieldLock />} mb="md" role="status">
          <Group justify="space-between">
            <Text size="sm" flex="1 1 260px">
              {t('security.notice.due', { when: dateTime(secondFactorDueAt) })}
            </Text>
            <Button component={PanelLink} to="/profile" variant="default">
              {t('security.notice.setUp')}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}
