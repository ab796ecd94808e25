import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateStepper } from '../../components/fields/date-stepper.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useZonedFormats, type ZonedFormats } from '../../data/dates/zoned-formats.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item, PanelRouteRequest } from '../../data/request.ts'

type Settings = Omit<PanelRouteRequest<'POST /services/preview/'>['body'], 'id' | 'date'>
type Preview = Item<'POST /services/preview/'>

// How long the form must be unchanged before the preview is requested, in milliseconds.
const debounceMilliseconds = 300

interface ServicePreviewProps {
  /** The id of the service; undefined for a service that does not exist yet. */
  readonly id: string | undefined
  /** The settings of the service as entered in the form. */
  readonly settings: Settings
}

/** Shows the slots that a service would have on one date, initially tomorrow, with the settings entered in the form. */
export function ServicePreview({ id, settings }: ServicePreviewProps) {
  const { t } = useTranslation()
  const [date, setDate] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const { mutate, error, isPending } = useWrite('POST /services/preview/')
  const request = JSON.stringify({ ...settings, ...(id !== undefined && { id }), ...(date && { date }) })
  const [settled] = useDebouncedValue(request, debounceMilliseconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the serialised request changes
  useEffect(() => mutate({ body: JSON.parse(settled) }, { onSuccess: setPreview }), [settled])
  return (
    <Paper component="section" aria-label={t('services.preview')} p="sm">
      <Stack gap="sm" aria-busy={isPending || settled !== request}>
        <Group justify="space-between" align="flex-end">
          <div>
            <Title order={3} size="h2">
              {t('services.preview')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('services.previewText')}
            </Text>
          </div>
          <DateStepper
            label={t('services.previewDay')}
            value={date || preview?.date || ''}
            onChange={setDate}
            zone={preview?.zone}
          />
        </Group>
        <ErrorAlert error={error} />
        {preview ? <Slots of={preview} active={settings.active !== false} /> : !error && <LoadingState lines={2} />}
      </Stack>
    </Paper>
  )
}

function Slots({ of: { zone, providers, slots }, active }: { readonly of: Preview; readonly active: boolean }) {
  const { t } = useTranslation()
  const formats = useZonedFormats(zone)
  return (
    <>
      <Text size="sm" role="status">
        {slots.length > 0
          ? t('services.previewCount', { count: slots.length, zone })
          : t(active ? 'services.previewNone' : 'services.previewOff')}
      </Text>
      {providers.map(({ id, name }) => (
        <div key={id}>
          <Text size="sm" fw={500} mb={4}>
            {name}
          </Text>
          <Group gap={4}>
            {slots
              .filter(({ providerId }) => providerId === id)
              .map((slot) => (
                <Slot key={`${slot.start} ${slot.end}`} of={slot} formats={formats} />
              ))}
          </Group>
        </div>
      ))}
    </>
  )
}

function Slot({ of, formats }: { readonly of: Preview['slots'][number]; readonly formats: ZonedFormats }) {
  const { t } = useTranslation()
  const more = [
    ...(of.bookable ? [] : [t('services.full')]),
    ...(of.reservations > 0 ? [t('services.reserved', { count: of.reservations })] : []),
    ...(of.eligible > 1 ? [t('services.eligible', { count: of.eligible })] : []),
  ]
  return (
    <Badge variant="default" className="tabular">
      {[formats.span(of), ...more].join(' · ')}
    </Badge>
  )
}
