import { ActionIcon, Box, Tooltip } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './help.module.css'

interface WithHelpProps {
  /** The label of the field; also names the help button. */
  readonly label: string
  /** The help text, one sentence. */
  readonly help: string
  /** The form field. */
  readonly children: ReactNode
}

/** A field whose label has a help button with a one-sentence explanation. */
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
