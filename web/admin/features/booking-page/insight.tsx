import { Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'

/**
 * Shows how often visitors took each step of a booking in the last 30 days, by service and by the website or campaign
 * from which they came, and the latest ratings by customers.
 */
export function Insight() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /booking-page/insight/', {})
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingState />
  const seen = data.services.filter(({ viewed, booked, ratings }) => viewed + booked + ratings > 0)
  return (
    <Section title={t('bookingPage.insight')} text={t('bookingPage.insightText')}>
      {seen.length === 0 ? (
        <Text>{t('bookingPage.noVisits')}</Text>
      ) : (
        <Stack>
          <Table.ScrollContainer
            minWidth={560}
            type="native"
            tabIndex={0}
            role="group"
            aria-label={t('bookingPage.insight')}
          >
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('bookingPage.service')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.viewed')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.choseTime')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.startedForm')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.booked')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.rating')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {seen.map(({ id, name, viewed, choseTime, startedForm, booked, rating, ratings }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td ta="right">{viewed}</Table.Td>
                    <Table.Td ta="right">{choseTime}</Table.Td>
                    <Table.Td ta="right">{startedForm}</Table.Td>
                    <Table.Td ta="right">{booked}</Table.Td>
                    <Table.Td ta="right">
                      {rating === null ? '–' : t('bookingPage.ratingOf', { average: rating, count: ratings })}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Table.ScrollContainer
            minWidth={320}
            type="native"
            tabIndex={0}
            role="group"
            aria-label={t('bookingPage.source')}
          >
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('bookingPage.source')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.viewed')}</Table.Th>
                  <Table.Th ta="right">{t('bookingPage.booked')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.sources.map(({ source, viewed, booked }) => (
                  <Table.Tr key={source}>
                    <Table.Td className="breakable">{source || t('bookingPage.direct')}</Table.Td>
                    <Table.Td ta="right">{viewed}</Table.Td>
                    <Table.Td ta="right">{booked}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Stack>
      )}
      {data.ratings.length > 0 && (
        <Stack gap="xs">
          <Text fw={600}>{t('bookingPage.ratings')}</Text>
          {data.ratings.map(({ reservationId, score, comment }) => (
            <Text key={reservationId} size="sm" className="breakable">
              {t('bookingPage.stars', { count: score })}
              {comment && ` · ${comment}`} ·{' '}
              <PanelLink to="/reservations" search={{ open: reservationId }}>
                {t('bookingPage.toReservation')}
              </PanelLink>
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  )
}
