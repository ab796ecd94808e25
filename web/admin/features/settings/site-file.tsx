import { Box, Button, Checkbox, Code, FileInput, Group, List, Stack, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { FileLink } from '../../components/file-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { refetch, useWrite } from '../../data/queries.ts'
import { firstErrorDetails } from '../../data/refusal.ts'
import { type Item, panelApiRoot } from '../../data/request.ts'

type Report = Item<'POST /site-file/check/'>

const parts = ['services', 'providers', 'customers', 'reservations'] as const

/**
 * The screen that exports the site file (a JSON document with the settings and data of the site), or previews the
 * changes of a chosen file and applies it.
 */
export default function SiteFile() {
  const { t } = useTranslation()
  return (
    <Screen title={t('siteFile.title')} text={t('siteFile.text')}>
      <Stack maw={720}>
        <Export />
        <Import />
      </Stack>
    </Screen>
  )
}

function Export() {
  const { t } = useTranslation()
  const [customers, setCustomers] = useState(false)
  const [reservations, setReservations] = useState(false)
  return (
    <Section title={t('siteFile.export')} text={t('siteFile.exportText')}>
      <Checkbox
        label={t('siteFile.withCustomers')}
        checked={customers}
        onChange={(event) => setCustomers(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('siteFile.withReservations')}
        checked={reservations}
        onChange={(event) => setReservations(event.currentTarget.checked)}
      />
      <Group>
        <FileLink
          href={`${panelApiRoot}/site-file/?customers=${customers}&reservations=${reservations}`}
          variant="default"
        />
      </Group>
    </Section>
  )
}

function Import() {
  const { t } = useTranslation()
  const check = useWrite('POST /site-file/check/')
  const apply = useWrite('POST /site-file/apply/', ['GET /site/', 'GET /session/', 'GET /history/'])
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const choose = (chosen: File | null): void => {
    setFile(chosen)
    check.reset()
    apply.reset()
    if (!chosen) return
    void chosen.text().then((read) => {
      setText(read)
      check.mutate({ body: { text: read } })
    })
  }
  const applyIt = (): void =>
    apply.mutate(
      { body: { text } },
      {
        onSuccess: () => {
          toast(t('siteFile.applied'))
          choose(null)
          void refetch(['GET /site/'])
        },
      },
    )
  return (
    <Section title={t('siteFile.import')} text={t('siteFile.importText')}>
      <FileInput
        label={t('siteFile.file')}
        placeholder={t('siteFile.choose')}
        accept="application/json,.json"
        leftSection={<IconFileText size={16} stroke={1.5} />}
        clearable
        clearButtonProps={{ 'aria-label': t('common.remove') }}
        value={file}
        onChange={choose}
      />
      <ErrorAlert error={check.error ?? apply.error} />
      <Faults error={check.error ?? apply.error} />
      {check.data && <Changes report={check.data} />}
      {check.data && (
        <Group justify="flex-end">
          <Button onClick={applyIt} loading={apply.isPending}>
            {t('siteFile.apply')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

const maxFaults = 100

/** Lists the first hundred errors of a site file, each with the path of the wrong value. */
function Faults({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const { details, more } = firstErrorDetails(error, maxFaults)
  if (details.length === 0) return null
  return (
    // The region is focusable, so that keyboard users can scroll it.
    <Box className="scrolls" mah={320} tabIndex={0} role="group" aria-label={t('siteFile.faults')}>
      <List size="sm" spacing={4}>
        {details.map(([place, sentence]) => (
          <List.Item key={place} className="breakable">
            <Code>{place}</Code> {sentence}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t('calendar.andMore', { count: more })}</List.Item>}
      </List>
    </Box>
  )
}

function Changes({ report }: { readonly report: Report }) {
  const { t } = useTranslation()
  const lines = parts.flatMap((part) =>
    (['added', 'changed'] as const).map((kind) => ({ part, kind, names: report[part][kind] })),
  )
  const some = lines.filter(({ names }) => names.length > 0)
  if (some.length === 0 && report.site.length === 0) return <Text size="sm">{t('siteFile.nothing')}</Text>
  return (
    <List size="sm" spacing={4}>
      {report.site.length > 0 && (
        <List.Item>
          <b>{t('siteFile.site')}</b>: {report.site.join(', ')}
        </List.Item>
      )}
      {some.map(({ part, kind, names }) => (
        <List.Item key={part + kind} className="breakable">
          <b>
            {t(`siteFile.parts.${part}`)}, {t(`siteFile.${kind}`, { count: names.length })}
          </b>
          : {names.slice(0, 20).join(', ')}
          {names.length > 20 && ' …'}
        </List.Item>
      ))}
    </List>
  )
}
