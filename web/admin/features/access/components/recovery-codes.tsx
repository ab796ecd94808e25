import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { IconDownload, IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { download } from '../../../components/download.ts'
import styles from './recovery-codes.module.css'
import { CopyValueButton } from './secret.tsx'

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[]
  readonly close: () => void
}

/** Shows new recovery codes once, to copy or to download. */
export function RecoveryCodesDialog({ codes, close }: RecoveryCodesDialogProps) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  return (
    <Modal opened onClose={close} title={t('profile.recoveryTitle')} showsOnce withCloseButton={false}>
      <Stack>
        <Alert icon={<IconEyeOff />}>{t('profile.recoveryShow')}</Alert>
        <SimpleGrid
          component="ul"
          cols={{ base: 1, xs: 2 }}
          spacing={4}
          ff="monospace"
          fz="sm"
          m={0}
          p={0}
          className={styles.codes ?? ''}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Group gap="xs">
            <CopyValueButton text={text} />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => download('recovery-codes.txt', text)}
            >
              {t('common.download')}
            </Button>
          </Group>
          <Button onClick={close}>{t('profile.recoveryKept')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
