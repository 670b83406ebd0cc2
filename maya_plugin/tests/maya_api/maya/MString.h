#pragma once

#include <maya/MStatus.h>

class MStringArray;

/// A text. Plain characters are in the encoding of the host's locale, which lacks letters on Windows and with LANG=C
/// (MString in the Maya C++ API reference). The stand-in's has those of ASCII alone: others become question marks.
class MString {
public:
    MString() = default;
    MString(const char* text) { set(text); }
    MString(const char* text, int length) { set(text, length); }
    MString& operator+=(const MString& other);
    MString& operator+=(const char* other);
    MString& operator+=(double other);
    MString& operator+=(int other);
    MString& operator+=(unsigned int other);
    MString& operator+=(float other);
    MString& operator=(const char* other);
    MString& operator=(double value);
    bool operator==(const MString& other) const { return text_ == other.text_; }
    bool operator==(const char* other) const { return *this == MString(other); }
    bool operator!=(const MString& other) const { return text_ != other.text_; }
    bool operator!=(const char* other) const { return *this != MString(other); }
    MString operator+(const MString& other) const;
    MString operator+(const char* other) const;
    MString operator+(double value) const;
    MStatus set(const char* text);
    MStatus setUTF8(const char* text);
    MStatus set(const char* text, int length);
    MStatus set(double value);
    MStatus set(double value, int precision);
    const char* asChar() const;
    const char* asChar(int& length) const;
    const char* asUTF8() const { return text_.c_str(); }
    const char* asUTF8(int& length) const;
    unsigned int length() const { return static_cast<unsigned int>(text_.size()); }
    unsigned int numChars() const;
    void clear() { text_.clear(); }
    bool isEmpty() const { return text_.empty(); }
    int index(char) const;
    int rindex(char) const;
    MStatus split(char, MStringArray&) const;
    MString substring(int start, int end) const;
    MString& toUpperCase();
    MString& toLowerCase();
    bool isInt() const;
    int asInt() const;
    bool isDouble() const;
    double asDouble() const;
    MStatus substitute(const MString& src, const MString& target);
    friend std::ostream& operator<<(std::ostream&, const MString&);
    friend MString operator+(const char*, const MString&);

private:
    std::string text_;
};

namespace standin {
/// A text of any letters, for the stand-in's own use.
MString text(const std::string& utf8);
} // namespace standin
