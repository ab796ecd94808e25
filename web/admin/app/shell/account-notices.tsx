import { Alert, Button, Group, Text } from '@mantine/core'
import { IconShieldExclamation, IconShieldLock, IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { chooseZone, deviceZone, isZoneChosen, useFormats } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import { useSession, useUser } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'

/**
 * Warns the user when a password link has removed their second factors, and when a second factor will soon be required;
 * asks once which time zone to show, if this device is in another one than the site.
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
      <ZoneQuestion />
    </>
  )
}

/** Asks whether times are shown in the zone of the site or of this device, until the user has chosen one. */
function ZoneQuestion() {
  const { t } = useTranslation()
  const session = useSession()
  const isChosen = useStore(isZoneChosen)
  if (!session || isChosen) return null
  const { timezone } = session.site
  // Zones that show the same time differ in nothing that the user sees.
  const [here, there] = [deviceZone, timezone].map((zone) => clockOf(zone).text(session.now))
  if (here === there) return null
  return (
    <Alert icon={<IconWorld />} mb="md" role="status">
      <Group justify="space-between">
        <Text size="sm" flex="1 1 260px">
          {t('shell.zoneQuestion')}
        </Text>
        <Group gap="xs">
          {(['site', 'device'] as const).map((choice) => (
            <Button
              key={choice}
              variant="default"
              h="auto"
              py={6}
              styles={{ label: { whiteSpace: 'normal' } }}
              onClick={() => chooseZone(choice)}
            >
              {choice === 'site'
                ? t('shell.zoneSite', { zone: timezone })
                : t('shell.zoneDevice', { zone: deviceZone })}
            </Button>
          ))}
        </Group>
      </Group>
    </Alert>
  )
}
