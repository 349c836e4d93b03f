-- The oldest notes are indexed first, and how far the search is behind is read from the first one. Without this index the first notes of the
-- table counted as the oldest ones, until vacuum had made room for new ones there.
create index run_search_due_noted on run_search_due (noted_at);
