#pragma once

// The base of all array classes: what is the same in all of them.

#include <maya/MStatus.h>
#include <cstddef>
#include <vector>

namespace standin {

template <class T> class Array {
public:
    typedef typename std::vector<T>::iterator Iterator;
    typedef typename std::vector<T>::const_iterator ConstIterator;
    Array() = default;
    Array(const T source[], unsigned int count) : items_(source, source + count) {}
    Array(unsigned int initialSize, const T& initialValue) : items_(initialSize, initialValue) {}
    MStatus set(const T& element, unsigned int index) {
        if (index >= items_.size()) return MStatus::kInvalidParameter;
        items_[index] = element;
        return MStatus();
    }
    MStatus setLength(unsigned int length) {
        items_.resize(length);
        return MStatus();
    }
    unsigned int length() const { return static_cast<unsigned int>(items_.size()); }
    MStatus remove(unsigned int index) {
        if (index >= items_.size()) return MStatus::kInvalidParameter;
        items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
        return MStatus();
    }
    MStatus insert(const T& element, unsigned int index) {
        if (index > items_.size()) return MStatus::kInvalidParameter;
        items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(index), element);
        return MStatus();
    }
    MStatus append(const T& element) {
        items_.push_back(element);
        return MStatus();
    }
    MStatus copy(const Array& source) {
        items_ = source.items_;
        return MStatus();
    }
    MStatus clear() {
        items_.clear();
        return MStatus();
    }
    MStatus get(T array[]) const {
        for (std::size_t i = 0; i < items_.size(); ++i) array[i] = items_[i];
        return MStatus();
    }
    void setSizeIncrement(unsigned int) {}
    unsigned int sizeIncrement() const { return 1; }
    T& operator[](unsigned int index) { return items_[index]; }
    const T& operator[](unsigned int index) const { return items_[index]; }
    Iterator begin() { return items_.begin(); }
    Iterator end() { return items_.end(); }
    ConstIterator begin() const { return items_.begin(); }
    ConstIterator end() const { return items_.end(); }
    ConstIterator cbegin() const { return items_.begin(); }
    ConstIterator cend() const { return items_.end(); }

protected:
    std::vector<T> items_;
};

} // namespace standin
