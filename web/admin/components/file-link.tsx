import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { request } from '../data/request.ts'
import { downloadFrom } from './download.ts'
import { ErrorAlert } from './fields/write-form.tsx'

interface FileLinkProps {
  readonly href: string
  readonly variant?: 'default' | 'filled'
  /** The text of the button; "Download" when absent. */
  readonly label?: string
}

/**
 * A button that downloads a file with sensitive data of the site. The service requires that the user has confirmed
 * their identity within the last five minutes; otherwise the user is asked to do so before the browser requests the
 * file.
 */
export function FileLink({ href, variant = 'filled', label }: FileLinkProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<unknown>()
  const fetchFile = (): void => {
    setProblem(undefined)
    void request('POST /session/authenticated/', {}).then(() => downloadFrom(href), setProblem)
  }
  return (
    <>
      <ErrorAlert error={problem} />
      <Button
        component="a"
        href={href}
        variant={variant}
        leftSection={<IconDownload size={16} />}
        onClick={(event) => {
          event.preventDefault()
          fetchFile()
        }}
      >
        {label ?? t('common.download')}
      </Button>
    </>
  )
}
