import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'
import classes from './preview.module.css'

type Write = ReturnType<typeof useWrite<'POST /booking-page/preview/'>>

/** The settings of the booking page that a preview shows before they are saved. */
export type PreviewDraft = Parameters<Write['mutate']>[0]['body']

const pauseMilliseconds = 400

/** Shows a preview of the booking page with settings that are not saved yet; nothing can be booked in it. */
export function Preview({ draft }: { readonly draft: PreviewDraft }) {
  const { t } = useTranslation()
  const { mutateAsync } = useWrite('POST /booking-page/preview/', [])
  const [path, setPath] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const wanted = JSON.stringify(draft)
  useEffect(() => {
    let left = false
    const timer = setTimeout(() => {
      mutateAsync({ body: JSON.parse(wanted) }).then(
        (made) => {
          if (left) return
          setPath(made.path)
          setProblem(undefined)
        },
        (error: unknown) => {
          if (!left) setProblem(error)
        },
      )
    }, pauseMilliseconds)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [wanted, mutateAsync])
  return (
    <Stack gap="xs" mt="lg">
      <Title order={3} size="h5">
        {t('bookingPage.preview')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('bookingPage.previewHelp')}
      </Text>
      <ErrorAlert error={problem} />
      {/* The `sandbox` attribute forbids submitting forms, so that nothing can be booked in the preview. */}
      {path === undefined ? (
        <Skeleton className={classes.frame} animate={problem === undefined} />
      ) : (
        <iframe
          className={classes.frame}
          src={path}
          title={t('bookingPage.preview')}
          sandbox="allow-scripts allow-same-origin"
        />
      )}
    </Stack>
  )
}
