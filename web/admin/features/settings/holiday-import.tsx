import { Button, Checkbox, FileButton, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holidaysOf } from '../../../../src/calendars/ics/holiday-file.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { ReportedChanges } from '../../components/fields/forms-in-dialog.ts'
import { CancelButton } from '../../components/fields/write-form.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useFormats, useLocale, useZone } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'

type PublicHoliday = Item<'GET /public-holidays/'>['holidays'][number]

interface HolidayImportProps {
  /**
   * The holidays that the form already contains, by first and last date (`YYYY-MM-DD`, null when not entered). A listed
   * holiday within one of them cannot be selected.
   */
  readonly known: readonly { readonly from: string | null; readonly to: string | null }[]
  readonly add: (holidays: readonly PublicHoliday[]) => void
  readonly close: () => void
}

const noon = 720
const initialYears = '2'
/** The maximum size of a calendar file, in bytes. */
const maxFileBytes = 5_000_000

/**
 * The dialog that lists the public holidays of a country or region, or the events of a calendar file, and adds the
 * selected ones.
 */
export function HolidayImport({ known, add, close }: HolidayImportProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { longDate } = useFormats()
  const clock = clockOf(useZone())
  const today = clock.dateOf(useSession()?.now ?? 0)
  const thisYear = Number(today.slice(0, 4))
  const [country, setCountry] = useState<string | null>(null)
  const [state, setState] = useState<string | null>(null)
  const [region, setRegion] = useState<string | null>(null)
  const [years, setYears] = useState(initialYears)
  const [text, setText] = useState<string>()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { data, error, refetch, isPlaceholderData } = useRead('GET /public-holidays/', {
    language: locale.slice(0, 2),
    year: thisYear,
    years: Number(years),
    ...(country !== null && { country }),
    ...(state !== null && { state }),
    ...(region !== null && { region }),
  })
  const isKnown = ({ from, to }: PublicHoliday): boolean =>
    known.some((one) => one.from !== null && one.from <= from && (one.to ?? one.from) >= to)
  const keyOf = ({ from, name }: PublicHoliday): string => `${from} ${name}`
  const last = `${thisYear + Number(years) - 1}-12-31`
  const file = useMemo(
    () => (text === undefined ? undefined : holidaysOf(text, { from: today, to: last })),
    [text, today, last],
  )
  const listed = file ? file.holidays : country === null || isPlaceholderData ? [] : (data?.holidays ?? [])
  const chosen = listed.filter((one) => !isKnown(one)).filter((one) => !left.has(keyOf(one)))
  const toggle = (key: string): void => {
    const next = new Set(left)
    if (!next.delete(key)) next.add(key)
    setLeft(next)
  }
  const readFile = async (chosenFile: File | null): Promise<void> => {
    if (!chosenFile) return
    setText(chosenFile.size > maxFileBytes ? '' : await chosenFile.text())
  }
  const choices = (places: readonly { readonly code: string; readonly name: string }[] = []) =>
    places.map(({ code, name }) => ({ value: code, label: name }))
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('policies.importTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <ReportedChanges hasChanges={() => country !== null || text !== undefined || years !== initialYears} />
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('policies.importText')} (date-holidays, CC BY 3.0)
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Select
            label={t('policies.country')}
            data={choices(data?.countries)}
            value={country}
            onChange={(value) => {
              setCountry(value)
              setText(undefined)
              setState(null)
              setRegion(null)
            }}
            searchable
            data-autofocus
          />
          <Select
            label={t('policies.years')}
            data={['1', '2', '3'].map((value) => ({
              value,
              label: t('policies.yearsCount', { count: Number(value) }),
            }))}
            value={years}
            onChange={(value) => setYears(value ?? '1')}
            allowDeselect={false}
          />
          {(data?.states.length ?? 0) > 0 && (
            <Select
              label={t('policies.state')}
              data={choices(data?.states)}
              value={state}
              onChange={(value) => {
                setState(value)
                setRegion(null)
              }}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('policies.importAll') }}
              placeholder={t('policies.importAll')}
            />
          )}
          {(data?.regions.length ?? 0) > 0 && (
            <Select
              label={t('policies.region')}
              data={choices(data?.regions)}
              value={region}
              onChange={setRegion}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('policies.importAll') }}
              placeholder={t('policies.importAll')}
            />
          )}
        </SimpleGrid>
        <FileButton accept=".ics,text/calendar" onChange={(chosenFile) => void readFile(chosenFile)}>
          {(props) => (
            <Group>
              <Button {...props} variant="default" leftSection={<IconFileImport size={16} />}>
                {t('policies.importFile')}
              </Button>
            </Group>
          )}
        </FileButton>
        {text !== undefined && !file && (
          <Text size="sm" role="alert">
            {t('policies.importUnreadable')}
          </Text>
        )}
        {file !== undefined && file.leftOut > 0 && (
          <Text size="sm">{t('policies.importLeftOut', { count: file.leftOut })}</Text>
        )}
        {error && !data ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data || (country !== null && !file && isPlaceholderData) ? (
          <LoadingState lines={4} />
        ) : country === null && !file ? null : listed.length === 0 ? (
          <EmptyState text={t('policies.importNone')} />
        ) : (
          <Stack gap={6} mah={320} className="scrolls" p={4}>
            {listed.map((one) => (
              <Checkbox
                key={keyOf(one)}
                label={`${longDate(clock.at(one.from, noon))}${one.to === one.from ? '' : ` – ${longDate(clock.at(one.to, noon))}`} · ${one.name}`}
                description={isKnown(one) ? t('policies.importKnown') : undefined}
                disabled={isKnown(one)}
                checked={!isKnown(one) && !left.has(keyOf(one))}
                onChange={() => toggle(keyOf(one))}
              />
            ))}
          </Stack>
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton onClick={close} />
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              add(chosen)
              close()
            }}
          >
            {t('policies.importAdd', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
