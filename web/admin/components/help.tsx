import { ActionIcon, Box, Tooltip } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './help.module.css'

interface WithHelpProps {
  /** What the field is called; the button is named after it. */
  readonly label: string
  /** One sentence. */
  readonly help: string
  /** The field. */
  readonly children: ReactNode
}

/** A field with a small button on the line of its label that explains it in one sentence. */
export function WithHelp({ label, help, children }: WithHelpProps) {
  const { t } = useTranslation()
  return (
    <Box pos="relative">
      {children}
      <Tooltip label={help} multiline maw={280}>
        <ActionIcon size="sm" className={styles.button ?? ''} aria-label={`${t('common.help')}: ${label}. ${help}`}>
          <IconHelpCircle size={16} />
        </ActionIcon>
      </Tooltip>
    </Box>
  )
}
