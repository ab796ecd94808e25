import { ActionIcon, Alert, Button, Code, CopyButton, Stack, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface SecretProps {
  readonly label: string
  /** A note above the secret, such as that the secret is shown only once. */
  readonly text?: string
  readonly children: string
}

/** A secret with a button that copies it. */
export function Secret({ label, text, children }: SecretProps) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      {text && (
        <Alert icon={<IconEyeOff />} variant="light">
          {text}
        </Alert>
      )}
      <div>
        <Text size="sm" fw={500} mb={4}>
          {label}
        </Text>
        <Code block className="breakable" fz="sm" tabIndex={0} aria-label={label} role="textbox" aria-readonly>
          {children}
        </Code>
      </div>
      <CopyButton value={children}>
        {({ copied, copy }) => (
          <Button
            variant="light"
            fullWidth
            leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
            onClick={copy}
          >
            {copied ? t('common.copied') : t('common.copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  )
}

/** A button that copies a text to the clipboard and confirms the copy. */
export function CopyValueButton({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('common.copied') : t('common.copy')}>
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            aria-label={copied ? t('common.copied') : t('common.copy')}
          >
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
